/** A fresh key of 32 hexadecimal digits. `crypto.randomUUID` is missing where a page came by plain HTTP from the LAN. */
export function randomKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
