// Exits with 0 if the service in this container is ready for requests, otherwise with 1.
const port = process.env.PORT || '3000';
const path = new URL(process.env.BASE_URL || 'http://localhost').pathname.replace(/\/$/, '');
const response = await fetch(`http://127.0.0.1:${port}${path}/health/ready`);
process.exit(response.ok ? 0 : 1);
