// Incompressible words in +-[1, 2); src/core/probes/streamData.ts says the same.
fn patternWord(index: u32) -> u32 {
  var mixed = index ^ (index >> 16u);
  mixed *= 0x7feb352du;
  mixed ^= mixed >> 15u;
  mixed *= 0x846ca68bu;
  mixed ^= mixed >> 16u;
  return (mixed & 0x807fffffu) | 0x3f800000u;
}
