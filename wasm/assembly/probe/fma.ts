import { AFFINE, FUSED, QUADRATIC, chains } from './chains';
import { mixed } from './mixed';

export function fmaF32_affine_4(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, FUSED, 4, state, trips);
}
export function fmaF32_affine_8(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, FUSED, 8, state, trips);
}
export function fmaF32_affine_10(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, FUSED, 10, state, trips);
}
export function fmaF32_affine_12(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, FUSED, 12, state, trips);
}
export function fmaF32_affine_14(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, FUSED, 14, state, trips);
}
export function fmaF32_quadratic_4(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, FUSED, 4, state, trips);
}
export function fmaF32_quadratic_8(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, FUSED, 8, state, trips);
}
export function fmaF32_quadratic_10(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, FUSED, 10, state, trips);
}
export function fmaF32_quadratic_12(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, FUSED, 12, state, trips);
}
export function fmaF32_quadratic_14(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, FUSED, 14, state, trips);
}
export function fmaF64_affine_4(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, FUSED, 4, state, trips);
}
export function fmaF64_affine_8(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, FUSED, 8, state, trips);
}
export function fmaF64_affine_10(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, FUSED, 10, state, trips);
}
export function fmaF64_affine_12(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, FUSED, 12, state, trips);
}
export function fmaF64_affine_14(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, FUSED, 14, state, trips);
}
export function fmaF64_quadratic_4(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, FUSED, 4, state, trips);
}
export function fmaF64_quadratic_8(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, FUSED, 8, state, trips);
}
export function fmaF64_quadratic_10(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, FUSED, 10, state, trips);
}
export function fmaF64_quadratic_12(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, FUSED, 12, state, trips);
}
export function fmaF64_quadratic_14(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, FUSED, 14, state, trips);
}
export function mixedFma_1(base: usize, size: usize, steps: i32, state: usize): void {
  mixed(FUSED, 1, base, size, steps, state);
}
export function mixedFma_2(base: usize, size: usize, steps: i32, state: usize): void {
  mixed(FUSED, 2, base, size, steps, state);
}
export function mixedFma_4(base: usize, size: usize, steps: i32, state: usize): void {
  mixed(FUSED, 4, base, size, steps, state);
}
