import { FirstSteps } from '../features/service/first-steps.tsx'
import { KeyForm } from '../features/service/key-form.tsx'
import { Notice } from '../ui/notice.tsx'

/** `rejection` says why the last key is no longer used. */
type WelcomePageProps = { rejection: string | undefined; onKey: (key: string) => void }

export function WelcomePage({ rejection, onKey }: WelcomePageProps) {
  return (
    <>
      {rejection && <Notice kind="trouble">{rejection}</Notice>}
      <div className="welcome">
        <div>
          <FirstSteps />
        </div>
        <section className="panel" aria-labelledby="have-key">
          <h2 id="have-key">Have a key?</h2>
          <KeyForm onKey={onKey} />
          <p>
            For programs there is the <a href="/docs">API reference</a> and its{' '}
            <a href="/public/v1/openapi.json">OpenAPI document</a>.
          </p>
        </section>
      </div>
    </>
  )
}
