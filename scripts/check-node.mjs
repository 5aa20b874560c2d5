// Loaded before every entry by `node --import`. Plain JavaScript, so that an old Node can run it and print the message.
const NODE_MAJOR_MIN = 24;

if (Number.parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
  console.error(
    `Paydesk requires Node ${NODE_MAJOR_MIN} or later; this is Node ${process.versions.node}. \`npm install\` installs the right version: start with \`npm start\`, \`npm run serve\` or \`npm test\`.`,
  );
  process.exit(1);
}
