import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../lib/api/api.ts'
import type { WaitingGroup } from '../../../lib/api/api-schema.generated.ts'
import { forAll } from '../../../lib/for-all.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { useConfirm } from '../../../ui/dialogs/confirm.tsx'
import { toastDone, toastFailures } from '../../../ui/dialogs/toast.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { LinkButton } from '../../../ui/link-button.tsx'
import { waitingGroupsQuery } from '../jobs.api.ts'
import { causeOfGroup, groupSentence } from './group-words.ts'
import './waiting-groups.css'

/** What keeps waiting jobs from idle printers, together by what helps, each done at once. Nothing while nothing does. */
export function WaitingGroups() {
  const groups = useQuery(waitingGroupsQuery()).data ?? []
  const [entering, setEntering] = useState<WaitingGroup>()
  if (groups.length === 0) return null
  return (
    <ul className="waiting-groups" aria-label={t('Reasons why jobs wait')}>
      {groups.map((group) => (
        <li key={group.rule}>
          <Icon name="clock" size={16} />
          <Text span size="sm">
            {groupSentence(group)}
          </Text>
          <GroupButton group={group} onEnter={() => setEntering(group)} />
        </li>
      ))}
      {entering && <NozzleDialog group={entering} onClose={() => setEntering(undefined)} />}
    </ul>
  )
}

const namesOf = ({ printers }: WaitingGroup) => printers.map(({ name }) => name).join(', ')

/** Does one thing with all printers of a group, and tells of each that failed. */
function useForGroup(group: WaitingGroup) {
  const queryClient = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const perform = async (call: (id: string) => Promise<unknown>, done: string) => {
    setIsBusy(true)
    const failures = await forAll(group.printers, ({ id }) => call(id))
    setIsBusy(false)
    const succeeded = group.printers.length - failures.length
    if (succeeded > 0)
      toastDone(`${t('{succeeded, plural, one {# printer} other {# printers}}', { succeeded })} ${done}`)
    if (failures.length > 0) {
      toastFailures(
        t('{failures, plural, one {# printer} other {# printers}} not changed', { failures: failures.length }),
        failures.map(({ thing, error }) => ({ name: thing.name, error })),
      )
    }
    await Promise.all(['printers', 'jobs'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
    return failures.length === 0
  }
  return { isBusy, perform }
}

function GroupButton({ group, onEnter }: { group: WaitingGroup; onEnter: () => void }) {
  const confirm = useConfirm()
  const mayWrite = useMay('write')
  const mayControl = useMay('control')
  const { isBusy, perform } = useForGroup(group)
  const isOne = group.printers.length === 1
  const amount = t('{printers, plural, one {# printer} other {# printers}}', { printers: group.printers.length })
  if (group.rule === 'nozzle_matches' && group.remedy === 'enter_equipment') {
    return mayWrite ? (
      <Button size="compact-sm" variant="light" onClick={onEnter}>
        {isOne ? t('Enter it…') : t('Enter it for all…')}
      </Button>
    ) : null
  }
  if (group.remedy === 'clear_plate') {
    const clear = async () => {
      const isSure = await confirm({
        title: isOne
          ? t('Is the plate of {namesOf} empty?', { namesOf: namesOf(group) })
          : t('Are the plates of {amount} empty?', { amount }),
        body: t('Look before you answer, the next job may start at once: {namesOf}.', { namesOf: namesOf(group) }),
        confirmLabel: isOne ? t('The plate is clear') : t('The plates are clear'),
      })
      const body = { action: 'clear_bed' } as const
      if (isSure) await perform((id) => api.call('POST /printers/{id}/control', { params: { id }, body }), t('cleared'))
    }
    return mayControl ? (
      <Button size="compact-sm" variant="light" loading={isBusy} onClick={() => void clear()}>
        {isOne ? t('Clear it…') : t('Clear them all…')}
      </Button>
    ) : null
  }
  if (group.remedy === 'auto_start') {
    const letStart = async () => {
      const isSure = await confirm({
        title: isOne
          ? t('Let {namesOf} start jobs by itself?', { namesOf: namesOf(group) })
          : t('Let {amount} start jobs by themselves?', { amount }),
        body: t('Each heats up and moves without asking, each time its plate was confirmed to be clear: {namesOf}.', {
          namesOf: namesOf(group),
        }),
        confirmLabel: isOne ? t('Let it start jobs') : t('Let them start jobs'),
      })
      const body = { auto_start: true }
      if (isSure) await perform((id) => api.call('PATCH /printers/{id}', { params: { id }, body }), t('start jobs'))
    }
    return mayWrite ? (
      <Button size="compact-sm" variant="light" loading={isBusy} onClick={() => void letStart()}>
        {isOne ? t('Let it start…') : t('Let them all start…')}
      </Button>
    ) : null
  }
  const [first] = group.printers
  if (isOne && first) {
    return (
      <LinkButton to="/printers/$printerId" params={{ printerId: first.id }} size="compact-sm" variant="light">
        {t('To {name}', { name: first.name })}
      </LinkButton>
    )
  }
  return (
    <LinkButton to="/printers" search={{ status: 'idle' }} size="compact-sm" variant="light">
      {t('To the printers')}
    </LinkButton>
  )
}

function NozzleDialog({ group, onClose }: { group: WaitingGroup; onClose: () => void }) {
  const [nozzle, setNozzle] = useState<number | string>(group.nozzle ?? '')
  const { isBusy, perform } = useForGroup(group)
  const save = async () => {
    const body = { nozzle_size: Number(nozzle) }
    if (await perform((id) => api.call('PATCH /printers/{id}', { params: { id }, body }), t('with their nozzle')))
      onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Nozzle of {printers, plural, one {# printer} other {# printers}}', { printers: group.printers.length })}
    >
      <Stack>
        <Text size="sm">
          {t('{causeOfGroup}: {namesOf}. Look at them: a wrong nozzle spoils the print.', {
            causeOfGroup: causeOfGroup(group),
            namesOf: namesOf(group),
          })}
        </Text>
        <NumberInput
          label={t('Nozzle, in mm')}
          min={0.05}
          max={5}
          step={0.1}
          value={nozzle}
          onChange={setNozzle}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button loading={isBusy} disabled={!(Number(nozzle) > 0)} onClick={() => void save()}>
            {t('Enter for {printers, plural, one {# printer} other {# printers}}', { printers: group.printers.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
