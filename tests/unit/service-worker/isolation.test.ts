import { describe, expect, it } from 'vitest';
import { isolated } from '../../../src/service-worker/isolation.ts';

describe('isolation headers', () => {
  it('are added to what is there, and the rest stays', async () => {
    const response = isolated(
      new Response('worker', {
        status: 201,
        statusText: 'Made',
        headers: {
          'Content-Type': 'text/javascript',
          'Cross-Origin-Embedder-Policy': 'unsafe-none',
        },
      }),
    );
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/javascript',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    expect([response.status, response.statusText]).toEqual([201, 'Made']);
    expect(await response.text()).toBe('worker');
  });

  it('leave answers without a body or a status as they are', () => {
    expect(isolated(new Response(null, { status: 204 })).status).toBe(204);
    const error = Response.error();
    expect(isolated(error)).toBe(error);
  });
});
