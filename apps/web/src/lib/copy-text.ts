/**
 * Puts text into the clipboard. A page that came by plain HTTP over the local network has no `navigator.clipboard`; there
 * the browser's older command does it. Answers whether it worked.
 */
export async function copyText(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => copyBySelection(text),
    )
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  // Inside an open dialog, which takes the focus back from everything beside it.
  const host = before?.closest('[role="dialog"]') ?? document.body
  host.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
