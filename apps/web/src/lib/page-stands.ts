/** From the time when all of a page is loaded until it has been drawn, in ms, also on a small computer. */
const drawnMs = 3_000

/**
 * Runs something once the first page stands: what is not seen at first must not take processor and line from what is. The returned
 * function takes it back.
 */
export function whenPageStands(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    timer = setTimeout(run, drawnMs)
  }
  if (document.readyState === 'complete') plan()
  else window.addEventListener('load', plan, { once: true })
  return () => {
    window.removeEventListener('load', plan)
    clearTimeout(timer)
  }
}
