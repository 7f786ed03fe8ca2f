import { Alert, Text } from '@mantine/core'
import { asApiError, problemText } from '../../lib/api/api-error.ts'
import { formatMinutes } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../icon.tsx'
import { RequestFacts } from '../page/error-state.tsx'

/** Over the fields of a form: what is wrong beyond single fields. Nothing while `problem` is undefined. */
export function FormProblem({ problem }: { problem: Error | undefined }) {
  if (!problem) return null
  const { code, requestId, retryAfterSeconds } = asApiError(problem)
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} role="alert">
      <Text size="sm">
        {code === 'RATE_LIMITED' && retryAfterSeconds !== null
          ? t('Too many tries. Try again in {retryAfterMs}.', {
              retryAfterMs: formatMinutes(Math.ceil(retryAfterSeconds / 60)),
            })
          : problemText(problem)}
      </Text>
      {requestId !== null && <RequestFacts code={code} requestId={requestId} />}
    </Alert>
  )
}
