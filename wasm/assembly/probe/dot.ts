import { AFFINE, UNFUSED, chains } from './chains';

export function dotI8_affine_4(state: usize, trips: i32): void {
  chains<v128, i8>(AFFINE, UNFUSED, 4, state, trips);
}
export function dotI8_affine_8(state: usize, trips: i32): void {
  chains<v128, i8>(AFFINE, UNFUSED, 8, state, trips);
}
export function dotI8_affine_10(state: usize, trips: i32): void {
  chains<v128, i8>(AFFINE, UNFUSED, 10, state, trips);
}
export function dotI8_affine_12(state: usize, trips: i32): void {
  chains<v128, i8>(AFFINE, UNFUSED, 12, state, trips);
}
export function dotI8_affine_14(state: usize, trips: i32): void {
  chains<v128, i8>(AFFINE, UNFUSED, 14, state, trips);
}
