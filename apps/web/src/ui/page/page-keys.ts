import { t } from '../../lib/i18n/t.ts'

/** What has the page to itself: keys of the page are silent beneath it. */
const above = '[role="dialog"], [role="menu"], [role="listbox"]'

/** A key without Alt or Ctrl. It only goes somewhere or opens something: pressed by mistake it changes nothing. */
export interface PageKey {
  key: string
  label: string
  /** Answers whether the page that is shown has anything for it. */
  press: (page: Document) => boolean
}

export const pageKeys: readonly PageKey[] = [
  {
    key: '/',
    label: t('Search on this page'),
    press: (page) => {
      const field = find<HTMLInputElement>(page, 'input[type="search"]')
      field?.focus()
      field?.select()
      return field !== undefined
    },
  },
  {
    key: 'n',
    label: t('Add something on this page'),
    press: (page) => {
      const button = find(page, '[data-adds]')
      // The focus comes back to it when what it opens is closed.
      button?.focus()
      button?.click()
      return button !== undefined
    },
  },
]

const isShown = (element: HTMLElement) => element.checkVisibility({ checkVisibilityCSS: true })

/** Whether nothing lies over the page that has the keys. */
export function hasPageToItself(page: Document): boolean {
  return ![...page.querySelectorAll<HTMLElement>(above)].some(isShown)
}

/** The first one that is shown and can be used. */
function find<Found extends HTMLElement = HTMLElement>(page: Document, selector: string): Found | undefined {
  if (!hasPageToItself(page)) return undefined
  const found = [...page.querySelectorAll<Found>(`#main :is(${selector})`)]
  return found.find((each) => isShown(each) && !each.matches(':disabled, [data-disabled], [data-loading]'))
}
