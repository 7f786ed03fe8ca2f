import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Rules that judge by colours: all that a page in its other appearance can break. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** What axe finds serious or critical in the page as it is, by all its rules or by those of colours alone. */
export async function seriousViolations(page: Page, judged: 'all' | 'colors' = 'all'): Promise<string[]> {
  // Evaluated from outside, so the page's own policy stays in force.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: typeof axe }).axe.run(document, {
        resultTypes: ['violations'],
        ...(rules && { runOnly: { type: 'rule', values: rules } }),
      }) as Promise<AxeResults>,
    judged === 'colors' ? colorRules : undefined,
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 3).map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}
