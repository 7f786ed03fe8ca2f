import { Button, Menu } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NotificationRule } from '../../../lib/api/api-schema.generated.ts'
import { morePages, rowsOf } from '../../../lib/api/paged-query.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useActions } from '../../../ui/dialogs/use-actions.ts'
import { Icon } from '../../../ui/icon.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { RowMenu } from '../../../ui/lists/row-menu.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import type { FarmChoices } from '../rule-scope-fields.tsx'
import { kindWords, toWords, whenWords } from './notification-words.ts'
import { channelListQuery, ruleListQuery, useRemoveRule, useSwitchRule } from './notifications.api.ts'
import { RuleDialog } from './rule-form.tsx'

/** What is told to whom. */
export function RulesPanel({ memberNames, farm }: { memberNames: ReadonlyMap<string, string>; farm: FarmChoices }) {
  const list = useInfiniteQuery(ruleListQuery())
  const channels = rowsOf(useInfiniteQuery(channelListQuery()).data) ?? []
  const [edited, setEdited] = useState<NotificationRule | 'new'>()
  const names = new Map([...memberNames, ...channels.map(({ id, name }): [string, string] => [id, name])])
  const columns: Column<NotificationRule>[] = [
    { key: 'name', label: t('Rule'), isTitle: true, cell: ({ name }) => name },
    { key: 'what', label: t('Events'), cell: ({ kinds }) => kinds.map((kind) => kindWords[kind] ?? kind).join(', ') },
    { key: 'to', label: t('To'), cell: (rule) => toWords(rule, (id) => names.get(id) ?? id) },
    { key: 'when', label: t('When'), isWideOnly: true, cell: whenWords },
    {
      key: 'state',
      label: t('State'),
      cell: ({ is_active: isActive }) => (
        <StatusBadge tone={isActive ? 'working' : 'waiting'}>{isActive ? t('On') : t('Off')}</StatusBadge>
      ),
    },
    {
      key: 'actions',
      label: t('Actions'),
      align: 'right',
      cell: (rule) => <RuleActions rule={rule} onChange={() => setEdited(rule)} />,
    },
  ]
  return (
    <Panel
      title={t('Rules')}
      actions={
        <Button
          data-adds
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setEdited('new')}
        >
          {t('Add a rule')}
        </Button>
      }
    >
      <QueryView query={list} failed={t('The rules could not be read')}>
        {(data) => {
          const rules = rowsOf(data) ?? []
          if (rules.length === 0) {
            return (
              <EmptyState icon="bell" title={t('No rule yet')}>
                {t(
                  'With the first device or channel comes the rule that what needs a person goes to the devices of all who may act.',
                )}
              </EmptyState>
            )
          }
          return (
            <DataTable label={t('Rules')} columns={columns} rows={rules} rowKey={({ id }) => id} {...morePages(list)} />
          )
        }}
      </QueryView>
      {edited !== undefined && (
        <RuleDialog
          {...(edited !== 'new' && { rule: edited })}
          channels={channels}
          memberNames={memberNames}
          farm={farm}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Panel>
  )
}

function RuleActions({ rule, onChange }: { rule: NotificationRule; onChange: () => void }) {
  const { id, name, is_active: isActive } = rule
  const { perform } = useActions()
  const turn = useSwitchRule(id)
  const remove = useRemoveRule()
  return (
    <RowMenu label={t('More about the rule {name}', { name })}>
      <Menu.Item onClick={onChange}>{t('Change…')}</Menu.Item>
      <Menu.Item
        onClick={() =>
          void perform({
            id,
            call: () => turn.mutateAsync(!isActive),
            done: isActive ? t('The rule {name} is off', { name }) : t('The rule {name} is on', { name }),
            failed: t('The rule {name} could not be changed', { name }),
          })
        }
      >
        {isActive ? t('Turn off') : t('Turn on')}
      </Menu.Item>
      <Menu.Item
        color="red"
        onClick={() =>
          void perform({
            id,
            question: {
              title: t('Delete the rule {name}?', { name }),
              body: t('It sends no more notifications. This cannot be undone.'),
              confirmLabel: t('Delete the rule'),
              isDangerous: true,
            },
            call: () => remove.mutateAsync(id),
            done: t('The rule {name} is deleted', { name }),
            failed: t('The rule {name} could not be deleted', { name }),
          })
        }
      >
        {t('Delete…')}
      </Menu.Item>
    </RowMenu>
  )
}
