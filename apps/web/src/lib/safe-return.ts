/** A path of this page to return to after signing in, or `/`: an address must not lead elsewhere by its parameters. */
export function safeReturn(path: unknown): string {
  if (typeof path !== 'string' || !/^\/(?![/\\])/.test(path) || /\p{Cc}|\\/u.test(path)) return '/'
  return /^\/(sign-in|setup|forgot|reset-password|invitation)\b/.test(path) ? '/' : path
}
