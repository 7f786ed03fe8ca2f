import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { ShiftsOfMember } from '../../../lib/api/api-schema.generated.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { Time } from '../../../ui/time.tsx'
import { weekdays } from '../account/scheduler-texts.ts'
import { daysInWords, linesOf } from './shift-lines.ts'
import { ShiftsDialog } from './shifts-dialog.tsx'

const nameOf = ({ name, user_id: id }: ShiftsOfMember) => name || id

const member: Column<ShiftsOfMember> = { key: 'member', label: t('Member'), isTitle: true, cell: nameOf }

/** A day of the week in a column of its own, where there is room for seven. */
const days = weekdays.map(
  ({ value, label }): Column<ShiftsOfMember> => ({
    key: value,
    label,
    cell: ({ shifts }) =>
      shifts
        .filter(({ day }) => String(day) === value)
        .map(({ from, to }) => (
          <div key={`${from} ${to}`}>
            {from}–{to}
          </div>
        )),
  }),
)

const week: Column<ShiftsOfMember> = {
  key: 'week',
  label: t('Each week'),
  cell: ({ shifts }) =>
    shifts.length === 0
      ? t('None')
      : linesOf(shifts).map(({ days, from, to }) => (
          <div key={`${from} ${to}`}>
            {daysInWords(days)} {from}–{to}
          </div>
        )),
}

const now: Column<ShiftsOfMember> = {
  key: 'now',
  label: t('Now'),
  cell: ({ on_shift_until: until, switched_on: switched, switched_until: again }) =>
    until !== null ? (
      <Rich text="On shift until {time}" values={{ time: <Time at={until} as="clock" /> }} />
    ) : switched === false ? (
      <Rich text="Off until {time}" values={{ time: <Time at={again} as="clock" /> }} />
    ) : (
      t('Not on shift')
    ),
}

/** The week of everybody who may act. People change their own, and those who run the account that of all. */
export function ShiftTable({ members }: { members: readonly ShiftsOfMember[] }) {
  const isWide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  const mayChangeAll = useMay('admin')
  const mayAct = useMay('write')
  const { user } = useSession()
  const [chosenId, setChosenId] = useState<string>()
  const chosen = members.find(({ member_id: id }) => id === chosenId)
  const actions: Column<ShiftsOfMember> = {
    key: 'actions',
    label: t('Actions'),
    align: 'right',
    cell: (row) =>
      (mayChangeAll || (mayAct && row.user_id === user.id)) && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('Change the shifts of {name}', { name: nameOf(row) })}
          onClick={() => setChosenId(row.member_id)}
        >
          {t('Change…')}
        </Button>
      ),
  }
  return (
    <>
      <DataTable
        label={t('Shifts of each week')}
        columns={[member, ...(isWide ? days : [week]), now, actions]}
        rows={members.filter(({ role }) => role !== 'viewer')}
        rowKey={({ member_id: id }) => id}
      />
      {chosen && <ShiftsDialog member={chosen} name={nameOf(chosen)} onClose={() => setChosenId(undefined)} />}
    </>
  )
}
