// Latency: one invocation follows pointers, every load waiting for the one before. Dispatches go on
// where the last one ended. The `#each` line is repeated for each load of a trip.
@group(0) @binding(0) var<uniform> trips: u32;
// Sum of all places, then how many trips there were, and the last place.
@group(0) @binding(1) var<storage, read_write> state: array<u32, 3>;
@group(0) @binding(2) var<storage, read> pointers: array<u32>;

@compute @workgroup_size(1)
fn main() {
  var sum = state[0];
  var at = state[2];
  for (var trip = 0u; trip < trips; trip++) {
    #each at = pointers[at]; sum += at;
  }
  state[0] = sum;
  state[1] += trips;
  state[2] = at;
}
