// Successive loads are a stride apart; the next round through the source begins 17 words on, in the
// other half of the cache lines. src/core/probes/gather.ts says the same.
fn placeOf(index: u32) -> u32 {
  let linesMask = parameters.mask / parameters.stride;
  let round = index / (linesMask + 1u);
  return (index & linesMask) * parameters.stride + (17u * round) % parameters.stride;
}
