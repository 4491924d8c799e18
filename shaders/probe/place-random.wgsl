// Anywhere: a mixing function of the index. src/core/probes/gather.ts says the same.
fn placeOf(index: u32) -> u32 {
  var mixed = (index ^ (index >> 16u)) * 0x7feb352du;
  mixed = (mixed ^ (mixed >> 15u)) * 0x846ca68bu;
  return (mixed ^ (mixed >> 16u)) & parameters.mask;
}
