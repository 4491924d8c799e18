import type { HostEnvironment } from '../core/run/record.ts';

/** What the page can tell of the machine and the browser without measuring. */
export function hostEnvironment(): HostEnvironment {
  return {
    userAgent: navigator.userAgent,
    platform: navigator.platform,
    logicalCores: navigator.hardwareConcurrency,
    secureContext: window.isSecureContext,
    isolated: window.crossOriginIsolated,
  };
}

/** Whether the page is shown inside another one, which may forbid it what it needs. */
export function isFramed(): boolean {
  return window.self !== window.top;
}
