// Whether the quads of a workgroup are four consecutive lanes each, as kernels that share by
// quadSwap take for granted: a one for every lane where they are. It follows the line that
// enables subgroups.

@group(0) @binding(0) var<storage, read_write> consecutive: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let quad = vec4u(
    lane,
    quadSwapX(lane),
    quadSwapY(lane),
    quadSwapDiagonal(lane),
  );
  let expected = vec4u(lane) ^ vec4u(0u, 1u, 2u, 3u);
  consecutive[group.x * 64u + lane] = select(0u, 1u, all(quad == expected));
}
