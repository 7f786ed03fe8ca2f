import { numberWriter } from './i18n/writers.ts'

/** ISO 4217; all others have two digits. `Intl` follows what is usual on paper, which differs for a few. */
const digitsOf: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** Digits of the minor unit: 2 for a currency with cents, 0 for one without. */
export function minorDigits(currency: string): number {
  const found = Object.entries(digitsOf).find(([, codes]) => codes.split(' ').includes(currency))
  return found ? Number(found[0]) : 2
}

/** An amount in minor units with its currency: `€12.50`, `¥1,250`, `CHF 3.00`. */
export function formatMoney(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  return numberWriter({
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits)
}

/** What was typed as an amount of the currency, in its minor unit; nothing typed is nothing. */
export function toMinorUnits(typed: number | string, currency: string): number {
  return typed === '' ? 0 : Math.round(Number(typed) * 10 ** minorDigits(currency))
}

/** More digits than the currency has, for amounts of less than one: a clip may cost a fraction of a cent. */
const digitsOfSmall = 4

/** An amount that is a decimal number in text, with its currency: `€12.50`, `€0.0346`. */
export function formatAmountText(amount: string, currency: string): string {
  const digits = minorDigits(currency)
  const isSmall = /^-?0[.]/.test(amount)
  return numberWriter({
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: isSmall ? Math.max(digits, digitsOfSmall) : digits,
  }).format(amount as `${number}`)
}
