import { Alert, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { asApiError, problemText } from '../../lib/api/api-error.ts'
import { t } from '../../lib/i18n/t.ts'
import { CopyButton } from '../codes/copy-button.tsx'
import { Icon } from '../icon.tsx'
import { EmptyState } from './empty-state.tsx'
import './error-state.css'

interface ErrorStateProps {
  error: unknown
  /** What could not be done: `The printers could not be read`. */
  title?: string
  onRetry?: () => void
}

/** What failed, in the service's words, with the code and the request id that finds it in the log. */
export function ErrorState({ error, title = t('This could not be read'), onRetry }: ErrorStateProps) {
  const known = asApiError(error)
  if (known.status === 403) return <NoPermission>{known.message}</NoPermission>
  return (
    <Alert color="red" variant="light" title={title} icon={<Icon name="warning" />} role="alert">
      <Text size="sm">{problemText(known)}</Text>
      <Group gap="xs" mt="xs">
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry} leftSection={<Icon name="retry" size={14} />}>
            {t('Try again')}
          </Button>
        )}
        <RequestFacts code={known.code} requestId={known.requestId} />
      </Group>
    </Alert>
  )
}

/** The code of an error and the id of its request, to be copied into a report. */
export function RequestFacts({ code, requestId }: { code: string; requestId: string | null }) {
  const text = requestId === null ? code : t('{code} · request {requestId}', { code, requestId })
  return (
    <CopyButton
      value={text}
      size="xs"
      variant="subtle"
      color="gray"
      aria-label={t('Copy {text}', { text })}
      className="request-facts"
    >
      {text}
    </CopyButton>
  )
}

/** The page or the part of it is not for this role. */
export function NoPermission({ children }: { children?: ReactNode }) {
  return (
    <EmptyState icon="audit" title={t('Your role does not allow this')}>
      {children ?? t('Ask an owner or admin of this account to change your role.')}
    </EmptyState>
  )
}
