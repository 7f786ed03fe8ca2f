import { Command } from '../../ui/command.tsx'

/** What Printyard is and how to come by a key. */
export function FirstSteps() {
  return (
    <>
      <h1>Your print farm, at a glance</h1>
      <p className="lead">
        Printyard runs a farm of 3D printers: it queues the jobs, starts them on the right machines, and keeps count of
        stock and orders.
      </p>
      <h2>Make a key</h2>
      <p>Run these in the folder of Printyard, on the machine where it runs.</p>
      <ol className="steps">
        <li>
          <p>Create your account. The answer holds its ID.</p>
          <Command
            line={'npx printyard accounts create --name "My farm" --owner-email you@example.com'}
            purpose="create an account"
          />
        </li>
        <li>
          <p>
            Create a key that may only read, with that ID in place of <code>ID</code>.
          </p>
          <Command line="npx printyard keys create --account ID --name browser --scopes read" purpose="create a key" />
        </li>
        <li>
          <p>The key is shown once. Paste it into the field on this page.</p>
        </li>
      </ol>
    </>
  )
}
