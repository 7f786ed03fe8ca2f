import type { Page } from 'playwright-core'

/**
 * What of the page cannot be reached or read in the window as it is: sideways scrolling, what stands beyond the right edge,
 * and words of controls that are cut off. What scrolls within a frame of its own can be reached.
 */
export function findLayoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const faults: string[] = []
    if (document.documentElement.scrollWidth > width + 1) {
      faults.push(`scrolls sideways: ${document.documentElement.scrollWidth} in ${width}`)
    }
    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue
      const box = element.getBoundingClientRect()
      if (box.width <= 1 || box.height <= 1 || box.right <= 0) continue
      const holdsWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      const isControl = element.matches('button, a, input, select, textarea, [role="button"], [role="switch"]')
      if (!holdsWords && !isControl) continue
      const name = `${element.tagName.toLowerCase()} "${(element.textContent ?? '').trim().slice(0, 40)}"`
      if (box.right > width + 1 && !standsInFrame(element)) faults.push(`${name} reaches to ${Math.round(box.right)}`)
      const style = getComputedStyle(element)
      const isCut = style.overflowX !== 'visible' && style.overflowX !== 'auto' && style.overflowX !== 'scroll'
      const isSaid = style.textOverflow === 'ellipsis'
      if (holdsWords && isCut && !isSaid && element.scrollWidth > element.clientWidth + 1)
        faults.push(`${name} is cut off`)
    }
    return faults.slice(0, 8)

    function standsInFrame(element: HTMLElement): boolean {
      for (let each = element.parentElement; each; each = each.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(each).overflowX) && each !== document.body) return true
      }
      return false
    }
  })
}
