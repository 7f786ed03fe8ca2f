import { Button, Group, Text } from '@mantine/core'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { whyNot } from '../controls/printer-actions.ts'
import { useBulkActions } from './use-bulk-actions.ts'

interface BulkBarProps {
  /** All that are shown, and those of them that are selected. */
  rows: readonly LivePrinter[]
  chosen: readonly LivePrinter[]
  onSelect: (ids: ReadonlySet<string>) => void
}

/** What is done with all printers that are selected. Each button means those of them that can do it now. */
export function BulkBar({ rows, chosen, onSelect }: BulkBarProps) {
  const mayWrite = useMay('write')
  const { isBusy, clearPlates, letStart, hold, pause } = useBulkActions()
  const toClear = chosen.filter((printer) => whyNot('clear_bed', printer) === undefined)
  const toPause = chosen.filter((printer) => whyNot('pause', printer) === undefined)
  const actions = [
    { label: t('Clear plates'), printers: toClear, run: clearPlates },
    ...(mayWrite
      ? [
          { label: t('Let start jobs'), printers: chosen, run: letStart },
          { label: t('Hold'), printers: chosen, run: hold },
        ]
      : []),
    { label: t('Pause'), printers: toPause, run: pause },
  ]
  if (chosen.length === 0) return null
  return (
    <Group gap="xs" mb="sm" role="group" aria-label={t('Selected printers')}>
      <Text size="sm">
        {t('{chosen, plural, one {# printer} other {# printers}} selected', { chosen: chosen.length })}
      </Text>
      <Button size="xs" variant="default" onClick={() => onSelect(new Set())}>
        {t('Select none')}
      </Button>
      {chosen.length < rows.length && (
        <Button size="xs" variant="default" onClick={() => onSelect(new Set(rows.map(({ id }) => id)))}>
          {t('Select all {rows} shown', { rows: formatCount(rows.length) })}
        </Button>
      )}
      {actions
        .filter(({ printers }) => printers.length > 0)
        .map(({ label, printers, run }) => (
          <Button
            key={label}
            size="xs"
            variant="default"
            disabled={isBusy}
            onClick={async () => {
              if (await run(printers)) onSelect(new Set())
            }}
          >
            {label} ({formatCount(printers.length)})…
          </Button>
        ))}
    </Group>
  )
}
