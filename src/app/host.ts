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
