/**
 * Calls `action` at most once every `milliseconds`: at once after a pause, else when the time is
 * up. Returns the function that asks for a call.
 */
export function throttle(milliseconds: number, action: () => void): () => void {
  let lastCall = -Infinity;
  let pending = false;
  function call(): void {
    pending = false;
    lastCall = performance.now();
    action();
  }
  return () => {
    if (pending) return;
    pending = true;
    const wait = Math.max(0, lastCall + milliseconds - performance.now());
    setTimeout(call, wait);
  };
}
