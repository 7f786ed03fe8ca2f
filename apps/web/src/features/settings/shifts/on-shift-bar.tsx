import { Button, Group, Menu, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { Shifts, ShiftsOfMember } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { toastFailed } from '../../../ui/dialogs/toast.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Time } from '../../../ui/time.tsx'
import { shiftsQuery, useSwitchShift } from './shifts.api.ts'

const hourMs = 3_600_000
const offeredHours = [2, 4, 8, 12]
/** The service takes seven days; a minute less, should its clock be behind. */
const longestSwitchMs = 7 * 24 * hourMs - 60_000

/** Who is on shift now, and the switch of the person who looks. Nothing until it is known. */
export function OnShiftBar() {
  const shifts = useQuery(shiftsQuery()).data
  const mayAct = useMay('write')
  const { user } = useSession()
  if (!shifts) return null
  const own = shifts.members.find(({ user_id }) => user_id === user.id)
  return (
    <Group component="section" aria-label={t('On shift')} justify="space-between" gap="xs" mb="sm">
      <Text size="sm" component="div">
        <WhoIsTold shifts={shifts} />
      </Text>
      {mayAct && own && <OwnSwitch own={own} />}
    </Group>
  )
}

function WhoIsTold({ shifts: { told, members } }: { shifts: Shifts }) {
  if (told === 'no_shifts')
    return t('No one has shifts: all members who may act are notified when something needs a person.')
  if (told === 'none_on_shift')
    return t('No one is on shift: owners and admins are notified when something needs a person.')
  const present = members.filter(({ on_shift_until: until, role }) => until !== null && role !== 'viewer')
  return (
    <>
      {t('On shift:')}{' '}
      {present.map(({ user_id: id, name, on_shift_until: until }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Rich text="{name} until {time}" values={{ name: name || id, time: <Time at={until} as="clock" /> }} />
        </Fragment>
      ))}
    </>
  )
}

function OwnSwitch({ own: { switched_on: switched, on_shift_until: until } }: { own: ShiftsOfMember }) {
  const change = useSwitchShift()
  const turn = (to: Parameters<typeof change.mutate>[0]) =>
    change.mutate(to, { onError: (error) => toastFailed(t('Your shift could not be switched'), error) })
  if (switched !== null) {
    return (
      <Button className="touch-target" variant="default" loading={change.isPending} onClick={() => turn(undefined)}>
        {switched ? t('I am not on shift any more') : t('I am there again')}
      </Button>
    )
  }
  if (until !== null) {
    const end = Math.min(Date.parse(until), Date.now() + longestSwitchMs)
    return (
      <Button
        className="touch-target"
        variant="default"
        loading={change.isPending}
        onClick={() => turn({ is_on: false, until: new Date(end).toISOString() })}
      >
        {t('I am off for the rest of this shift')}
      </Button>
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          className="touch-target"
          variant="default"
          loading={change.isPending}
          rightSection={<Icon name="down" size={14} />}
        >
          {t('I am on shift')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {offeredHours.map((hours) => (
          <Menu.Item
            key={hours}
            onClick={() => turn({ is_on: true, until: new Date(Date.now() + hours * hourMs).toISOString() })}
          >
            {t('For {hours} hours', { hours })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
