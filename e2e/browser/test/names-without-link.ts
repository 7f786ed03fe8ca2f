import type { Page } from 'playwright-core'
import type { TestDashboard } from './test-dashboard.ts'

/** What things of a farm are called. */
export interface ThingNames {
  /** Printers and orders: each is a link wherever it is named. */
  named: string[]
  /** SKUs and products, of which one stands beside the other: one of them is a link. */
  described: string[]
}

/** What the things of this farm are called that have pages of their own. */
export async function readThingNames({ ask }: TestDashboard): Promise<ThingNames> {
  const printers = await ask<{ name: string }[]>('GET', '/printers?limit=100')
  const skus = await ask<{ sku: string }[]>('GET', '/skus?limit=100')
  const orders = await ask<{ order_number: string }[]>('GET', '/orders?limit=100')
  const products = await ask<{ name: string }[]>('GET', '/products?limit=100')
  return {
    named: [...printers.map(({ name }) => name), ...orders.map(({ order_number }) => order_number)],
    described: [...skus.map(({ sku }) => sku), ...products.map(({ name }) => name)],
  }
}

/**
 * The names within the content of a page that lead nowhere. What is chosen, pressed or typed is no link, and neither is the heading of the
 * page of the thing itself.
 */
export function findNamesWithoutLink(page: Page, names: ThingNames): Promise<string[]> {
  return page.evaluate(({ named, described }) => {
    const main = document.querySelector('main') ?? document.body
    const acts = 'a, button, label, option, summary, h1, [role="option"], [role="menuitem"], [aria-hidden="true"]'
    const row = 'tr, li, article, dl > div'
    const goods = ['skus', 'products', 'stock', 'assembly'].map((area) => `a[href^="/${area}/"]`).join()
    const faults = new Set<string>()
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element?.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || element.closest(acts)) continue
      const parts = (by: RegExp) => (node.textContent ?? '').split(by).map((each) => each.trim())
      for (const part of parts(/ · |, | × /)) if (named.includes(part)) faults.add(part)
      if (element.closest(row)?.querySelector(goods)) continue
      for (const part of parts(/ · | × /)) if (described.includes(part)) faults.add(part)
    }
    return [...faults]
  }, names)
}
