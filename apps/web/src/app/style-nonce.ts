declare global {
  // Read by the lock on scrolling below dialogs, which is not ours and takes a nonce in no other way.
  var __webpack_nonce__: string | undefined
}

/** What allows this page its `<style>` elements: the service makes a new one for every answer. Empty in `vite dev`. */
export const styleNonce: string = readNonce()
globalThis.__webpack_nonce__ = styleNonce

function readNonce(): string {
  const content = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? ''
  return content.startsWith('%') ? '' : content
}
