import { api } from '../../../lib/api/api.ts'
import { t } from '../../../lib/i18n/t.ts'

/** What a person calls a browser unless they say otherwise: `Firefox on Linux`. */
function browserName(userAgent: string): string {
  const browsers: [RegExp, string][] = [
    [/Edg\//, 'Edge'],
    [/Firefox\//, 'Firefox'],
    [/Chrome\//, 'Chrome'],
    [/Safari\//, 'Safari'],
  ]
  const systems: [RegExp, string][] = [
    [/Android/, 'Android'],
    [/iPhone|iPad/, 'iOS'],
    [/Windows/, 'Windows'],
    [/Mac OS/, 'macOS'],
    [/Linux/, 'Linux'],
  ]
  const nameIn = (names: [RegExp, string][], otherwise: string) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? otherwise
  return t('{browser} on {system}', {
    browser: nameIn(browsers, t('Browser')),
    system: nameIn(systems, t('a device')),
  })
}

/** Why this browser cannot be notified; undefined when it can. */
export function findPushProblem(): string | undefined {
  if (!window.isSecureContext) return t('Browsers take notifications only from pages that are reached by HTTPS.')
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window)) {
    return t(
      'This browser takes no notifications. On iOS, add the dashboard to the home screen and open it from there.',
    )
  }
  if (Notification.permission === 'denied')
    return t('Notifications of this page are blocked in the settings of the browser.')
  return undefined
}

/** Asks the person, and subscribes this browser with the key of the service. @throws Error that says what is missing */
export async function subscribeThisBrowser() {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error(t('The browser was not allowed to notify.'))
  const registration = await navigator.serviceWorker.getRegistration()
  if (!registration) throw new Error(t('The page is not ready for notifications yet: load it again.'))
  const { public_key: applicationServerKey } = await api.call('GET /push-key', {})
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
  const { endpoint, keys } = subscription.toJSON()
  if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) {
    throw new Error(t('The browser gave no address for notifications.'))
  }
  return { name: browserName(navigator.userAgent), endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }
}
