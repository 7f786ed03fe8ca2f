import { t } from '../../lib/i18n/t.ts'

interface Levels {
  restock_point: string | number
  restock_to: string | number
}

/** What is wrong with the levels of a shelf, as a person has typed them. */
export function checkLevels({ restock_point: point, restock_to: to }: Levels): string | undefined {
  if (point === '' || to === '') return t('Enter a number')
  return Number(to) > Number(point) ? undefined : t('“Up to” must be more than “Fill up from”')
}
