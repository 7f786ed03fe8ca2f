import { t } from '../../../lib/i18n/t.ts'

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** `Firefox on Windows`; what cannot be told is shown as the device calls itself. */
export function deviceName(userAgent: string): string {
  const find = (known: typeof browsers) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (browser !== undefined && system !== undefined) return t('{browser} on {system}', { browser, system })
  return browser ?? system ?? (userAgent.slice(0, 60) || t('Not known'))
}
