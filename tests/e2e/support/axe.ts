import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** The rules whose verdict a theme's colours can change. */
const rulesOfColour = ['color-contrast', 'link-in-text-block'];

/** Asks axe for violations: by every rule in the light theme, and in the dark one by those of colour. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'], preload: false });
    // Without it every analysis opens a page of its own to join what frames of other origins say.
    axe.setLegacyMode();
    if (colorScheme === 'dark') axe.withRules(rulesOfColour);
    expect((await axe.analyze()).violations, `violations in the ${colorScheme} theme`).toEqual([]);
  }
}
