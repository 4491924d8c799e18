/** Hands a file to the browser as a download. */
export function download(blob: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  // The download reads the address after this task, and only once.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
