/**
 * The name of an operation in generated clients, by method and path alone: `POST /public/v1/jobs/:id/start` is
 * `postJobsByIdStart`. Two routes have the same only when they are the same, and a name never moves to another.
 */
export function operationId(method: string, url: string): string {
  const words = url.split('/').flatMap((segment) => {
    if (segment === '' || segment === 'public' || /^v\d+$/.test(segment)) return []
    return segment.startsWith(':') ? ['by', segment.slice(1)] : segment.split(/[^A-Za-z0-9]+/)
  })
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
