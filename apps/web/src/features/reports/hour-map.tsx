import { Text } from '@mantine/core'
import type { CSSProperties } from 'react'
import type { HoursOfDay } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import { hourWord, shareOf } from './hour-share.ts'
import './hour-map.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** At which hours of the day each printer prints: a table whose cells are filled as far as their hours were printed in. */
export function HourMap({ report }: { report: HoursOfDay }) {
  const { by_printer: printers, printers: count } = report
  return (
    <Panel title={t('Printing by hour of the day')}>
      {printers.length === 0 ? (
        <Text c="dimmed">{t('No data for these days.')}</Text>
      ) : (
        <>
          <Text size="sm" mb="sm">
            {t('Percent of each hour in which the printer printed, all days together.')}
          </Text>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it by the arrow keys */}
          <section className="hour-map" aria-label={t('Printing by hour of the day, table')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('Printer')}</th>
                  {hours.map((hour) => (
                    <th scope="col" key={hour}>
                      {hourWord(hour)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {printers.map(({ printer_id, printer_name, hours: ofPrinter }) => (
                  <tr key={printer_id}>
                    <th scope="row">
                      <LinkText to="/printers/$printerId" params={{ printerId: printer_id }} inherit>
                        {printer_name}
                      </LinkText>
                    </th>
                    {ofPrinter.map((each) => {
                      const share = shareOf(each)
                      return (
                        <td
                          key={each.hour}
                          style={{ '--share': `${share ?? 0}%` } as CSSProperties}
                          data-full={share !== undefined && share >= 90 ? true : undefined}
                        >
                          {share ?? '–'}
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          {count > printers.length && (
            <Text size="sm" c="dimmed" mt="sm">
              {t('The first {shown} of {count} printers.', { shown: printers.length, count })}
            </Text>
          )}
        </>
      )}
    </Panel>
  )
}
