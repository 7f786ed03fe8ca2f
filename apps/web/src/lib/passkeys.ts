import type { BodyOf } from './api/api-routes.ts'

/** Loaded when a passkey is used: most visits need none. */
const loadLibrary = () => import('@simplewebauthn/browser')

/** Whether this browser can use passkeys on this page: they are bound to a name, never to an IP address. */
export function hasPasskeys(): boolean {
  const isAddress = /^[\d.]+$|^\[/.test(location.hostname)
  return window.isSecureContext && !isAddress && typeof window.PublicKeyCredential === 'function'
}

/** Lets the person make a passkey. Rejects when they do not, with what the browser says. */
export async function makePasskey(options: object): Promise<BodyOf<'POST /passkeys'>['response']> {
  const { startRegistration } = await loadLibrary()
  // The options came from the service, which takes the answer apart again.
  return { ...(await startRegistration({ optionsJSON: options as never })), clientExtensionResults: {} }
}

/** Lets the person use a passkey. Rejects when they do not, with what the browser says. */
export async function answerByPasskey(options: object): Promise<BodyOf<'POST /passkeys/sign-in'>['response']> {
  const { startAuthentication } = await loadLibrary()
  return { ...(await startAuthentication({ optionsJSON: options as never })), clientExtensionResults: {} }
}
