/** What the service pushes to a browser, as JSON. */
interface PushPayload {
  title: string
  body?: string
  /** The page that it is about: a path, or an address of this service. */
  url?: string
  /** A notification of the same tag takes the place of the one before. */
  tag?: string
  urgency?: 'very-low' | 'low' | 'normal' | 'high'
  image?: string
  actions?: { action: string; title: string; url: string }[]
}

/** What a notification carries for the click on it: paths of this service alone. */
interface NoticeData {
  path: string
  /** Path by action. */
  actions: Record<string, string>
}

/** As browsers understand it; TypeScript's own type has neither pictures nor buttons. */
interface NoticeOptions extends NotificationOptions {
  data: NoticeData
  renotify?: boolean
  image?: string
  actions?: { action: string; title: string }[]
}

const start = '/'
const mostActions = 4

/**
 * A push must show something, or browsers show a sentence of their own and end the permission: what cannot be read becomes a
 * notification that opens the overview.
 */
export function readNotice(text: string, origin: string): { title: string; options: NoticeOptions } {
  const { title, body, url, tag, urgency, image, actions }: Partial<Record<keyof PushPayload, unknown>> =
    parseObject(text)
  const shownActions = (Array.isArray(actions) ? actions : []).flatMap((each: unknown) => {
    const { action, title: label, url: target } = isObject(each) ? each : {}
    const path = sameOriginPath(target, origin)
    return isText(action) && isText(label) && path !== undefined ? [{ action, title: label, path }] : []
  })
  const picture = sameOriginPath(image, origin)
  const isQuiet = urgency === 'very-low' || urgency === 'low'
  return {
    title: isText(title) ? title : 'Printyard',
    options: {
      body: isText(body) ? body : isText(title) ? '' : 'Something happened on the farm.',
      icon: '/icons/icon-192.png',
      badge: '/icons/badge-96.png',
      ...(isText(tag) && { tag, renotify: !isQuiet }),
      silent: isQuiet,
      requireInteraction: urgency === 'high',
      ...(picture !== undefined && { image: picture }),
      actions: shownActions.slice(0, mostActions).map(({ action, title: label }) => ({ action, title: label })),
      data: {
        path: sameOriginPath(url, origin) ?? start,
        actions: Object.fromEntries(shownActions.map(({ action, path }) => [action, path])),
      },
    },
  }
}

/** The page that a click leads to: that of the button, else that of the notification. */
export function targetOf(data: unknown, action: string, origin: string): string {
  const { path, actions } = isObject(data) ? data : {}
  const ofAction = isObject(actions) && Object.hasOwn(actions, action) ? actions[action] : undefined
  return sameOriginPath(ofAction, origin) ?? sameOriginPath(path, origin) ?? start
}

/** Path, search and hash of an address of this service; undefined for every other. */
export function sameOriginPath(url: unknown, origin: string): string | undefined {
  if (!isText(url) || !URL.canParse(url, origin)) return undefined
  const parsed = new URL(url, origin)
  return parsed.origin === origin ? parsed.pathname + parsed.search + parsed.hash : undefined
}

/** The tab that shows the page already, else the one in use; a wall display is never taken from its wall. */
export function tabFor<T extends { url: string; focused: boolean; visibilityState: string }>(
  path: string,
  tabs: readonly T[],
): T | undefined {
  const shows = (tab: T) => sameOriginPath(tab.url, new URL(tab.url).origin) === path
  const others = tabs.filter(({ url }) => new URL(url).pathname !== '/printers/wall')
  return (
    tabs.find(shows) ??
    others.find(({ focused }) => focused) ??
    others.find(({ visibilityState }) => visibilityState === 'visible') ??
    others[0]
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
