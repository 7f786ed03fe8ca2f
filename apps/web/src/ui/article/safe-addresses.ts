/** Where a link of a text that people wrote may lead; undefined: nowhere. */
export function addressOfLink(href: string): string | undefined {
  const address = href.trim()
  if (address.startsWith('#')) return address
  // Browsers take `\\` for `/` and leave out line ends and tabs: both could make a foreign host of a path.
  if (address.startsWith('/')) return /^\/(?![/\\])/.test(address) && !/\p{Cc}/u.test(address) ? address : undefined
  return /^(?:https?:\/\/|mailto:)/i.test(address) ? address : undefined
}

/** The address of a picture that the service serves itself, as this page reaches it; undefined for all others. */
export function addressOfPicture(address: string): string | undefined {
  return /^(?:https?:\/\/[^/\s]+)?(\/images\/[0-9a-f]{32}(?:\/thumb)?)$/.exec(address.trim())?.[1]
}
