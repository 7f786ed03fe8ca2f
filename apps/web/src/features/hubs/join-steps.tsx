import { Alert, Button, Code, List, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import { CopyLine } from '../../ui/codes/copy-line.tsx'
import { Countdown, useSecondsLeft } from '../../ui/countdown.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { StatusBadge } from '../../ui/lists/status-badge.tsx'
import { hubQuery, useRenewJoinCode } from './hubs.api.ts'
import { isOnlyHere, joinCommand, runCommand } from './join-command.ts'

export interface JoinCode {
  hub_id: string
  join_code: string
  join_code_expires_at: string
  ca_fingerprint: string | null
}

interface JoinStepsProps {
  code: JoinCode
  /** When the hub was last claimed before this code was made: a later claim is by this code. */
  claimedBefore: string | null
  onRenewed: (code: JoinCode) => void
}

/** What to type on the machine that becomes the hub, and how far it has come: the stream of events says so. */
export function JoinSteps({ code, claimedBefore, onRenewed }: JoinStepsProps) {
  const { data: hub } = useQuery(hubQuery(code.hub_id))
  const isClaimed = hub != null && hub.claimed_at !== null && hub.claimed_at !== claimedBefore
  const isRunning = isClaimed && hub.is_online
  return (
    <Stack gap="sm">
      <div role="status">
        {isRunning ? (
          <Alert
            color="green"
            variant="light"
            icon={<Icon name="check" />}
            title={t('{name} has joined', { name: hub.name })}
          >
            <Text size="sm">{t('It is connected. Now let it search for printers on its network.')}</Text>
          </Alert>
        ) : isClaimed ? (
          <StatusBadge tone="working">{t('Joined. Start it now')}</StatusBadge>
        ) : (
          <StatusBadge tone="waiting">{t('Waiting for the machine to join')}</StatusBadge>
        )}
      </div>
      {!isRunning && (isClaimed ? <RunIt /> : <TypeIt code={code} onRenewed={onRenewed} />)}
    </Stack>
  )
}

function TypeIt({ code, onRenewed }: Pick<JoinStepsProps, 'code' | 'onRenewed'>) {
  const left = useSecondsLeft(code.join_code_expires_at)
  const renew = useRenewJoinCode(code.hub_id)
  const url = window.location.origin
  if (left === 0) {
    return (
      <>
        <Text>{t('The code has run out: it works for ten minutes.')}</Text>
        <FormProblem problem={renew.error ?? undefined} />
        <Button onClick={() => renew.mutate(undefined, { onSuccess: onRenewed })} loading={renew.isPending}>
          {t('Make a new code')}
        </Button>
      </>
    )
  }
  return (
    <>
      <Text size="sm">
        <Rich
          text="On the machine that is to be the hub, in the folder of Printyard, type this. The code works once and for another {countdown}."
          values={{ countdown: <Countdown seconds={left} /> }}
        />
      </Text>
      <CopyLine value={joinCommand(url, code.join_code, code.ca_fingerprint)} />
      {isOnlyHere(url) && (
        <Text size="sm" c="dimmed">
          {t(
            'This address works on this machine only. For a hub on another one, put the address of this machine in its place.',
          )}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('No Printyard on that machine yet? Clone its repository there first. The command installs missing parts.')}
      </Text>
      <Text size="sm" c="dimmed">
        <Rich text="Join code: {join_code}" values={{ join_code: <Code>{code.join_code}</Code> }} />
      </Text>
    </>
  )
}

function RunIt() {
  return (
    <>
      <Text size="sm">{t('The machine has its token. Start the hub there, or install it as a service:')}</Text>
      <CopyLine value={runCommand(window.location.origin)} />
      <List size="sm" c="dimmed">
        <List.Item>{t('It dials out to this service; nothing has to be opened in its network.')}</List.Item>
        <List.Item>{t('Use the same data folder as for joining.')}</List.Item>
      </List>
    </>
  )
}
