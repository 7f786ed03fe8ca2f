import { UnstyledButton } from '@mantine/core'
import { t } from '../../../lib/i18n/t.ts'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { presentPrinterStatus } from '../printer-state.ts'
import { type StatusChoice, statusChoices } from './printer-view.ts'
import './status-filter.css'

interface StatusFilterProps {
  counts: Record<StatusChoice, number>
  chosen: StatusChoice | undefined
  onChoose: (status: StatusChoice | undefined) => void
}

const icons: Record<(typeof statusChoices)[number], IconName> = {
  printing: 'play',
  idle: 'idle',
  paused: 'pause',
  error: 'warning',
  offline: 'away',
  maintenance: 'settings',
}

/** How many printers have each state; pressing one shows only these, pressing it again all. */
export function StatusFilter({ counts, chosen, onChoose }: StatusFilterProps) {
  const entries: [StatusChoice, string, IconName][] = [
    ['needs-person', t('Need a person'), 'user'],
    ...statusChoices.map((status): [StatusChoice, string, IconName] => [
      status,
      presentPrinterStatus(status).word,
      icons[status],
    ]),
  ]
  return (
    <fieldset className="status-filter" aria-label={t('State')}>
      {entries
        .filter(([status]) => counts[status] > 0 || chosen === status)
        .map(([status, label, icon]) => (
          <UnstyledButton
            key={status}
            className="status-filter-button"
            aria-pressed={chosen === status}
            onClick={() => onChoose(chosen === status ? undefined : status)}
          >
            <Icon name={icon} size={14} strokeWidth={2.2} />
            {label}
            <b>{counts[status]}</b>
          </UnstyledButton>
        ))}
    </fieldset>
  )
}
