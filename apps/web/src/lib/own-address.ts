/** An address of the service as this page reaches it: the service may know itself by another name than the one that was opened. */
export function ownAddress(address: string): string {
  const { pathname, search } = new URL(address, location.origin)
  return `${pathname}${search}`
}

/** The small form of an image that the service keeps. None of an image elsewhere, which the policy of the page does not load. */
export function thumbnailOf(imageUrl: string | null): string | undefined {
  const [path] = /\/images\/[0-9a-f]{32}$/.exec(imageUrl ?? '') ?? []
  return path === undefined ? undefined : `${path}/thumb`
}
