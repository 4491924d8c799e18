// How much of the tensor with padding a tile kernel reads; its shared loads need it.
struct LeftSize {
  height: u32,
  width: u32,
  channels: u32,
}
