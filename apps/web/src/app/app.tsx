import { useCallback, useState } from 'react'
import { ServiceProblems, ServiceStatus, useServiceStatus } from '../features/service/service-status.tsx'
import type { ApiError } from '../lib/api-client.ts'
import { FarmPage } from './farm-page.tsx'
import { WelcomePage } from './welcome-page.tsx'

/** The key lives here and nowhere else: no storage, no cookie, no address. */
export function App() {
  const [key, setKey] = useState<string>()
  const [rejection, setRejection] = useState<string>()
  const status = useServiceStatus()

  const reject = useCallback((error: ApiError) => {
    setKey(undefined)
    setRejection(
      `The service does not accept this key: ${error.message} (${error.code}${error.requestId ? `, request ${error.requestId}` : ''})`,
    )
  }, [])

  return (
    <>
      <header className="top">
        <a className="skip" href="#main">
          Skip to content
        </a>
        <span className="name">Printyard</span>
        <ServiceStatus status={status} />
        {key !== undefined && (
          <button type="button" className="quiet" onClick={() => setKey(undefined)}>
            Forget key
          </button>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        <ServiceProblems status={status} />
        {key === undefined ? (
          <WelcomePage
            rejection={rejection}
            onKey={(given) => {
              setRejection(undefined)
              setKey(given)
            }}
          />
        ) : (
          <FarmPage key={key} apiKey={key} onUnauthorized={reject} />
        )}
      </main>
      <footer className="bottom">
        <a href="/docs">API reference</a>
        <a href="/public/v1/openapi.json">OpenAPI document</a>
        {status.version && <span className="faint">Printyard {status.version}</span>}
      </footer>
    </>
  )
}
