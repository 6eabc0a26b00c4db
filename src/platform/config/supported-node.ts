/** The oldest supported Node.js. `engines` in package.json states the same range. */
const MIN_NODE_VERSION = { major: 22, minor: 13 };

/**
 * Checks the Node.js version. Call this before any other import: on an older Node.js, a native
 * module crashes the process.
 * @param version for example `24.21.0`
 * @returns an error message, or undefined if the version is supported
 */
export function describeUnsupportedNode(version = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > MIN_NODE_VERSION.major || (major === MIN_NODE_VERSION.major && minor >= MIN_NODE_VERSION.minor))
    return undefined;
  return `Node.js ${version} is too old. Install Node.js 24, or run npm start, which includes its own Node.js.`;
}

/** Ends the process with an error message if this Node.js is too old. */
export function requireSupportedNode(): void {
  const problem = describeUnsupportedNode();
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
