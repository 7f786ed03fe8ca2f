import { Menu } from '@mantine/core'
import { useState } from 'react'
import type { SmartPlug } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { useRemovePlug, useSwitchPlug } from './mqtt.api.ts'
import { ChangePlugDialog } from './plug-form.tsx'

const columns: Column<SmartPlug>[] = [
  {
    key: 'printer',
    label: t('Printer'),
    isTitle: true,
    cell: ({ printer_id, printer_name: name }) => <ThingLink id={printer_id}>{name}</ThingLink>,
  },
  { key: 'state', label: t('Power'), cell: ({ state }) => <PlugState state={state} /> },
  {
    key: 'off',
    label: t('Switched off'),
    cell: ({ off_after_minutes: minutes }) =>
      minutes === null
        ? t('by hand only')
        : t('{minutes, plural, one {after # minute of doing nothing} other {after # minutes of doing nothing}}', {
            minutes,
          }),
  },
  {
    key: 'on',
    label: t('Switched on'),
    cell: ({ switches_on: isOn }) => (isOn ? t('when a job waits') : t('by hand only')),
  },
  { key: 'actions', label: t('Actions'), align: 'right', cell: (plug) => <PlugActions plug={plug} /> },
]

export function PlugTable({ plugs }: { plugs: readonly SmartPlug[] }) {
  return <DataTable label={t('Smart plugs')} columns={columns} rows={plugs} rowKey={({ id }) => id} />
}

function PlugState({ state }: Pick<SmartPlug, 'state'>) {
  if (state === null) return <StatusBadge tone="unknown">{t('Not heard of yet')}</StatusBadge>
  return state === 'on' ? (
    <StatusBadge tone="working">{t('On')}</StatusBadge>
  ) : (
    <StatusBadge tone="waiting">{t('Off')}</StatusBadge>
  )
}

function PlugActions({ plug }: { plug: SmartPlug }) {
  const { id, printer_name: name } = plug
  const [isChanging, setIsChanging] = useState(false)
  const { perform } = useActions('smart-plugs')
  const turn = useSwitchPlug(id)
  const remove = useRemovePlug(id)
  return (
    <>
      <RowMenu label={t('More about the plug of {name}', { name })}>
        <Menu.Item
          onClick={() =>
            void perform({
              id,
              call: () => turn.mutateAsync(true),
              done: t('The power of {name} is switched on', { name }),
              failed: t('The power of {name} could not be switched on', { name }),
            })
          }
        >
          {t('Switch on')}
        </Menu.Item>
        <Menu.Item
          onClick={() =>
            void perform({
              id,
              question: {
                title: t('Switch off the power of {name}?', { name }),
                body: t('It is refused while the printer is not idle, is hot, or a job is starting there.'),
                confirmLabel: t('Switch off'),
              },
              call: () => turn.mutateAsync(false),
              done: t('The power of {name} is switched off', { name }),
              failed: t('The power of {name} could not be switched off', { name }),
            })
          }
        >
          {t('Switch off…')}
        </Menu.Item>
        <Menu.Item onClick={() => setIsChanging(true)}>{t('Change…')}</Menu.Item>
        <Menu.Item
          color="red"
          onClick={() =>
            void perform({
              id,
              question: {
                title: t('Remove the plug of {name}?', { name }),
                body: t('Its power stays as it is.'),
                confirmLabel: t('Remove the plug'),
                isDangerous: true,
              },
              call: () => remove.mutateAsync(undefined),
              done: t('The plug of {name} is removed', { name }),
              failed: t('The plug of {name} could not be removed', { name }),
            })
          }
        >
          {t('Remove…')}
        </Menu.Item>
      </RowMenu>
      {isChanging && <ChangePlugDialog plug={plug} onClose={() => setIsChanging(false)} />}
    </>
  )
}
