import { AFFINE, QUADRATIC, UNFUSED, chains } from './chains';
import { mixed } from './mixed';

export function scalarF32_affine_4(state: usize, trips: i32): void {
  chains<f32, f32>(AFFINE, UNFUSED, 4, state, trips);
}
export function scalarF32_affine_8(state: usize, trips: i32): void {
  chains<f32, f32>(AFFINE, UNFUSED, 8, state, trips);
}
export function scalarF32_affine_10(state: usize, trips: i32): void {
  chains<f32, f32>(AFFINE, UNFUSED, 10, state, trips);
}
export function scalarF32_affine_12(state: usize, trips: i32): void {
  chains<f32, f32>(AFFINE, UNFUSED, 12, state, trips);
}
export function scalarF32_affine_14(state: usize, trips: i32): void {
  chains<f32, f32>(AFFINE, UNFUSED, 14, state, trips);
}
export function scalarF32_quadratic_4(state: usize, trips: i32): void {
  chains<f32, f32>(QUADRATIC, UNFUSED, 4, state, trips);
}
export function scalarF32_quadratic_8(state: usize, trips: i32): void {
  chains<f32, f32>(QUADRATIC, UNFUSED, 8, state, trips);
}
export function scalarF32_quadratic_10(state: usize, trips: i32): void {
  chains<f32, f32>(QUADRATIC, UNFUSED, 10, state, trips);
}
export function scalarF32_quadratic_12(state: usize, trips: i32): void {
  chains<f32, f32>(QUADRATIC, UNFUSED, 12, state, trips);
}
export function scalarF32_quadratic_14(state: usize, trips: i32): void {
  chains<f32, f32>(QUADRATIC, UNFUSED, 14, state, trips);
}
export function multiplyAddF32_affine_4(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, UNFUSED, 4, state, trips);
}
export function multiplyAddF32_affine_8(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, UNFUSED, 8, state, trips);
}
export function multiplyAddF32_affine_10(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, UNFUSED, 10, state, trips);
}
export function multiplyAddF32_affine_12(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, UNFUSED, 12, state, trips);
}
export function multiplyAddF32_affine_14(state: usize, trips: i32): void {
  chains<v128, f32>(AFFINE, UNFUSED, 14, state, trips);
}
export function multiplyAddF32_quadratic_4(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, UNFUSED, 4, state, trips);
}
export function multiplyAddF32_quadratic_8(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, UNFUSED, 8, state, trips);
}
export function multiplyAddF32_quadratic_10(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, UNFUSED, 10, state, trips);
}
export function multiplyAddF32_quadratic_12(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, UNFUSED, 12, state, trips);
}
export function multiplyAddF32_quadratic_14(state: usize, trips: i32): void {
  chains<v128, f32>(QUADRATIC, UNFUSED, 14, state, trips);
}
export function multiplyAddF64_affine_4(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, UNFUSED, 4, state, trips);
}
export function multiplyAddF64_affine_8(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, UNFUSED, 8, state, trips);
}
export function multiplyAddF64_affine_10(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, UNFUSED, 10, state, trips);
}
export function multiplyAddF64_affine_12(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, UNFUSED, 12, state, trips);
}
export function multiplyAddF64_affine_14(state: usize, trips: i32): void {
  chains<v128, f64>(AFFINE, UNFUSED, 14, state, trips);
}
export function multiplyAddF64_quadratic_4(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, UNFUSED, 4, state, trips);
}
export function multiplyAddF64_quadratic_8(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, UNFUSED, 8, state, trips);
}
export function multiplyAddF64_quadratic_10(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, UNFUSED, 10, state, trips);
}
export function multiplyAddF64_quadratic_12(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, UNFUSED, 12, state, trips);
}
export function multiplyAddF64_quadratic_14(state: usize, trips: i32): void {
  chains<v128, f64>(QUADRATIC, UNFUSED, 14, state, trips);
}
export function multiplyAddI32_affine_4(state: usize, trips: i32): void {
  chains<v128, i32>(AFFINE, UNFUSED, 4, state, trips);
}
export function multiplyAddI32_affine_8(state: usize, trips: i32): void {
  chains<v128, i32>(AFFINE, UNFUSED, 8, state, trips);
}
export function multiplyAddI32_affine_10(state: usize, trips: i32): void {
  chains<v128, i32>(AFFINE, UNFUSED, 10, state, trips);
}
export function multiplyAddI32_affine_12(state: usize, trips: i32): void {
  chains<v128, i32>(AFFINE, UNFUSED, 12, state, trips);
}
export function multiplyAddI32_affine_14(state: usize, trips: i32): void {
  chains<v128, i32>(AFFINE, UNFUSED, 14, state, trips);
}
export function multiplyAddI32_quadratic_4(state: usize, trips: i32): void {
  chains<v128, i32>(QUADRATIC, UNFUSED, 4, state, trips);
}
export function multiplyAddI32_quadratic_8(state: usize, trips: i32): void {
  chains<v128, i32>(QUADRATIC, UNFUSED, 8, state, trips);
}
export function multiplyAddI32_quadratic_10(state: usize, trips: i32): void {
  chains<v128, i32>(QUADRATIC, UNFUSED, 10, state, trips);
}
export function multiplyAddI32_quadratic_12(state: usize, trips: i32): void {
  chains<v128, i32>(QUADRATIC, UNFUSED, 12, state, trips);
}
export function multiplyAddI32_quadratic_14(state: usize, trips: i32): void {
  chains<v128, i32>(QUADRATIC, UNFUSED, 14, state, trips);
}
export function mixedMultiplyAdd_1(base: usize, size: usize, steps: i32, state: usize): void {
  mixed(UNFUSED, 1, base, size, steps, state);
}
export function mixedMultiplyAdd_2(base: usize, size: usize, steps: i32, state: usize): void {
  mixed(UNFUSED, 2, base, size, steps, state);
}
export function mixedMultiplyAdd_4(base: usize, size: usize, steps: i32, state: usize): void {
  mixed(UNFUSED, 4, base, size, steps, state);
}
