import type { Page } from 'playwright-core'
import type { TestDashboard } from './test-dashboard.ts'

/** What things of a farm are called. */
export interface ThingNames {
  /** Printers, SKUs and orders: each is a link wherever it is named. */
  named: string[]
  /** Products: the name stands beside a link to one of its SKUs, or is one. */
  described: string[]
}

/** What the things of this farm are called that have pages of their own. */
export async function readThingNames({ ask }: TestDashboard): Promise<ThingNames> {
  const printers = await ask<{ name: string }[]>('GET', '/printers?limit=100')
  const skus = await ask<{ sku: string }[]>('GET', '/skus?limit=100')
  const orders = await ask<{ order_number: string }[]>('GET', '/orders?limit=100')
  const products = await ask<{ name: string }[]>('GET', '/products?limit=100')
  return {
    named: [
      ...printers.map(({ name }) => name),
      ...skus.map(({ sku }) => sku),
      ...orders.map(({ order_number }) => order_number),
    ],
    described: products.map(({ name }) => name),
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
    const row = 'tr, li, article, dl > div, p'
    const faults = new Set<string>()
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element?.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) || element.closest(acts)) continue
      for (const part of (node.textContent ?? '').split(/ · |, | × /).map((each) => each.trim())) {
        if (named.includes(part)) faults.add(part)
        if (described.includes(part) && !element.closest(row)?.querySelector('a')) faults.add(part)
      }
    }
    return [...faults]
  }, names)
}
