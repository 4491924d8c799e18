/** Formulas of a JSON file, set as MathML by the build (vite.config.ts). */
declare module '*.json?mathml' {
  const formulas: Readonly<Record<string, string>>;
  export default formulas;
}
