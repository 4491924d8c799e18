// Barriers: in every trip each lane hands its value to its neighbour through workgroup memory, which
// takes a barrier before reading and one before the next write.
@group(0) @binding(0) var<uniform> trips: u32;
@group(0) @binding(1) var<storage, read_write> places: array<u32>;

const lanes = 64u;
var<workgroup> exchange: array<u32, lanes>;

@compute @workgroup_size(lanes)
fn main(@builtin(local_invocation_index) lane: u32) {
  var value = places[lane];
  for (var trip = 0u; trip < trips; trip++) {
    exchange[lane] = value;
    workgroupBarrier();
    value = exchange[(lane + 1u) % lanes];
    workgroupBarrier();
  }
  places[lane] = value;
}
